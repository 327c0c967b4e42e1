"""Operators and layers for objects in images, and files of images as Tensors."""

from twinoar.core.public import exported
from twinoar.ops.conv.deformable import deform_conv2d
from twinoar.ops.vision.box import box_coder, prior_box
from twinoar.ops.vision.levels import distribute_fpn_proposals
from twinoar.ops.vision.matrix_nms import matrix_nms
from twinoar.ops.vision.nms import nms
from twinoar.ops.vision.proposals import generate_proposals
from twinoar.ops.vision.roi import psroi_pool, roi_align, roi_pool
from twinoar.ops.vision.yolo import yolo_box
from twinoar.ops.vision.yolo_loss import yolo_loss
from twinoar.vision.ops.file import decode_jpeg, read_file
from twinoar.vision.ops.layer import ConvNormActivation as ConvNormActivation
from twinoar.vision.ops.region import DeformConv2D, PSRoIPool, RoIAlign, RoIPool

__all__ = exported(globals(), but=("ConvNormActivation",))
