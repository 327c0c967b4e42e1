"""Operators and layers for objects in images, and files of images as Tensors."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class DeformConv2D(twinoar.nn.Layer):
    """`deform_conv2d` with a weight and a bias; x, offset and mask are given at each call."""
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, deformable_groups: Any = 1, groups: Any = 1, weight_attr: Any = None, bias_attr: Any = None) -> None: ...
    def forward(self, x: Any, offset: Any, mask: Any = None) -> twinoar.Tensor: ...
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class PSRoIPool(twinoar.nn.Layer):
    """`psroi_pool` of x, boxes and boxes_num."""
    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> twinoar.Tensor: ...
    def __init__(self, output_size: Any, spatial_scale: Any = ...) -> None: ...
    def extra_repr(self) -> builtins.str: ...
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class RoIAlign(twinoar.nn.Layer):
    """`roi_align` of x, boxes and boxes_num."""
    def forward(self, x: Any, boxes: Any, boxes_num: Any, aligned: builtins.bool = True) -> twinoar.Tensor: ...
    def __init__(self, output_size: Any, spatial_scale: Any = ...) -> None: ...
    def extra_repr(self) -> builtins.str: ...
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class RoIPool(twinoar.nn.Layer):
    """`roi_pool` of x, boxes and boxes_num."""
    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> twinoar.Tensor: ...
    def __init__(self, output_size: Any, spatial_scale: Any = ...) -> None: ...
    def extra_repr(self) -> builtins.str: ...
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
@overload
def box_coder(prior_box: twinoar._TensorLike, prior_box_var: Any, target_box: twinoar._TensorLike, code_type: Literal['encode_center_size', 'decode_center_size'] = 'encode_center_size', box_normalized: builtins.bool = True, axis: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """Boxes relative to prior ones, or from such numbers the boxes."""
@overload
def box_coder(*args: Any, prior_box: Any = ..., prior_box_var: Any = ..., target_box: Any = ..., code_type: Any = ..., box_normalized: Any = ..., axis: Any = ..., name: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def decode_jpeg(x: twinoar._TensorLike, mode: Literal['unchanged', 'gray', 'rgb'] = 'unchanged', name: builtins.str | None = None) -> twinoar.Tensor:
    """The image in the bytes x [N], uint8, of a JPEG file: [C,H,W], uint8, red first."""
@overload
def deform_conv2d(x: twinoar._TensorLike, offset: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, deformable_groups: Any = 1, groups: Any = 1, mask: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Convolution that reads each place of its windows where an offset moves it to."""
@overload
def deform_conv2d(*args: Any, x: Any = ..., offset: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., deformable_groups: Any = ..., groups: Any = ..., mask: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def distribute_fpn_proposals(fpn_rois: twinoar._TensorLike, min_level: Any, max_level: Any, refer_level: Any, refer_scale: Any, pixel_offset: builtins.bool = False, rois_num: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> Any:
    """Regions divided among levels of features by their size."""
@overload
def distribute_fpn_proposals(*args: Any, fpn_rois: Any = ..., min_level: Any = ..., max_level: Any = ..., refer_level: Any = ..., refer_scale: Any = ..., pixel_offset: Any = ..., rois_num: Any = ..., name: Any = ..., out: Any = ...) -> Any: ...
@overload
def generate_proposals(scores: twinoar._TensorLike, bbox_deltas: twinoar._TensorLike, img_size: twinoar._TensorLike, anchors: twinoar._TensorLike, variances: twinoar._TensorLike, pre_nms_top_n: Any = 6000, post_nms_top_n: Any = 1000, nms_thresh: Any = ..., min_size: Any = ..., eta: Any = ..., pixel_offset: builtins.bool = False, return_rois_num: builtins.bool = False, name: builtins.str | None = None) -> Any:
    """The best regions that a network proposes, of those that overlap the best one."""
@overload
def generate_proposals(*args: Any, scores: Any = ..., bbox_deltas: Any = ..., img_size: Any = ..., anchors: Any = ..., variances: Any = ..., pre_nms_top_n: Any = ..., post_nms_top_n: Any = ..., nms_thresh: Any = ..., min_size: Any = ..., eta: Any = ..., pixel_offset: Any = ..., return_rois_num: Any = ..., name: Any = ..., out: Any = ...) -> Any: ...
@overload
def matrix_nms(bboxes: twinoar._TensorLike, scores: twinoar._TensorLike, score_threshold: Any, post_threshold: Any, nms_top_k: Any, keep_top_k: Any, use_gaussian: builtins.bool = False, gaussian_sigma: Any = ..., background_label: Any = 0, normalized: builtins.bool = True, return_index: builtins.bool = False, return_rois_num: builtins.bool = True, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None, twinoar.Tensor | None]:
    """Boxes with scores that are lower the more better ones of the same class overlap them."""
@overload
def matrix_nms(*args: Any, bboxes: Any = ..., scores: Any = ..., score_threshold: Any = ..., post_threshold: Any = ..., nms_top_k: Any = ..., keep_top_k: Any = ..., use_gaussian: Any = ..., gaussian_sigma: Any = ..., background_label: Any = ..., normalized: Any = ..., return_index: Any = ..., return_rois_num: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None, twinoar.Tensor | None]: ...
@overload
def nms(boxes: twinoar._TensorLike, iou_threshold: Any = ..., scores: twinoar._TensorLike | None = None, category_idxs: twinoar._TensorLike | None = None, categories: collections.abc.Sequence[Any] | None = None, top_k: Any = None) -> twinoar.Tensor:
    """Indices of the boxes that are left where of those that overlap only the best is kept."""
@overload
def nms(*args: Any, boxes: Any = ..., iou_threshold: Any = ..., scores: Any = ..., category_idxs: Any = ..., categories: Any = ..., top_k: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def prior_box(input: twinoar._TensorLike, image: twinoar._TensorLike, min_sizes: Any, max_sizes: Any = None, aspect_ratios: Any = ..., variance: collections.abc.Sequence[Any] = ..., flip: builtins.bool = False, clip: builtins.bool = False, steps: collections.abc.Sequence[Any] = ..., offset: Any = ..., min_max_aspect_ratios_order: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """Boxes of several sizes and shapes around each place of a grid, as shares of the image."""
@overload
def prior_box(*args: Any, input: Any = ..., image: Any = ..., min_sizes: Any = ..., max_sizes: Any = ..., aspect_ratios: Any = ..., variance: Any = ..., flip: Any = ..., clip: Any = ..., steps: Any = ..., offset: Any = ..., min_max_aspect_ratios_order: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def psroi_pool(x: twinoar._TensorLike, boxes: twinoar._TensorLike, boxes_num: twinoar._TensorLike, output_size: Any, spatial_scale: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """Regions of images as averages over the parts of a grid, each from channels of its own."""
@overload
def psroi_pool(*args: Any, x: Any = ..., boxes: Any = ..., boxes_num: Any = ..., output_size: Any = ..., spatial_scale: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def read_file(filename: builtins.str, name: builtins.str | None = None) -> twinoar.Tensor:
    """The bytes of a file: [N], uint8"""
@overload
def roi_align(x: twinoar._TensorLike, boxes: twinoar._TensorLike, boxes_num: twinoar._TensorLike, output_size: Any, spatial_scale: Any = ..., sampling_ratio: Any = -1, aligned: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """Regions of images as averages over the parts of a grid, without rounding to pixels."""
@overload
def roi_align(*args: Any, x: Any = ..., boxes: Any = ..., boxes_num: Any = ..., output_size: Any = ..., spatial_scale: Any = ..., sampling_ratio: Any = ..., aligned: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def roi_pool(x: twinoar._TensorLike, boxes: twinoar._TensorLike, boxes_num: twinoar._TensorLike, output_size: Any, spatial_scale: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """Regions of images as maxima over the parts of a grid, 0 for a part outside of the image."""
@overload
def roi_pool(*args: Any, x: Any = ..., boxes: Any = ..., boxes_num: Any = ..., output_size: Any = ..., spatial_scale: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def yolo_box(x: twinoar._TensorLike, img_size: twinoar._TensorLike, anchors: collections.abc.Sequence[Any], class_num: Any, conf_thresh: Any, downsample_ratio: Any, clip_bbox: builtins.bool = True, name: builtins.str | None = None, scale_x_y: Any = ..., iou_aware: builtins.bool = False, iou_aware_factor: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """Boxes and scores from what a YOLOv3 network gives for each cell of a grid and each anchor."""
@overload
def yolo_box(*args: Any, x: Any = ..., img_size: Any = ..., anchors: Any = ..., class_num: Any = ..., conf_thresh: Any = ..., downsample_ratio: Any = ..., clip_bbox: Any = ..., name: Any = ..., scale_x_y: Any = ..., iou_aware: Any = ..., iou_aware_factor: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def yolo_loss(x: twinoar._TensorLike, gt_box: twinoar._TensorLike, gt_label: twinoar._TensorLike, anchors: collections.abc.Sequence[Any], anchor_mask: collections.abc.Sequence[Any], class_num: Any, ignore_thresh: Any, downsample_ratio: Any, gt_score: twinoar._TensorLike | None = None, use_label_smooth: builtins.bool = True, name: builtins.str | None = None, scale_x_y: Any = ...) -> twinoar.Tensor:
    """How far what a YOLOv3 network gives is from the boxes that are there."""
@overload
def yolo_loss(*args: Any, x: Any = ..., gt_box: Any = ..., gt_label: Any = ..., anchors: Any = ..., anchor_mask: Any = ..., class_num: Any = ..., ignore_thresh: Any = ..., downsample_ratio: Any = ..., gt_score: Any = ..., use_label_smooth: Any = ..., name: Any = ..., scale_x_y: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
