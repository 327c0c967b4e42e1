"""What `fluid.layers` of Paddle 1.8 had and twinoar has not: what to write instead, by name."""

READER = "use fluid.io.DataLoader.from_generator, and pass what it yields as feed"
RECURRENT = "pad the sequences, and use fluid.layers.rnn with a cell that projects its output"
SEQUENCES = "pad the sequences to one length, and pass `lengths` to fluid.layers.sequence_pool"
DECODING = "use paddle.nn.dynamic_decode with paddle.nn.BeamSearchDecoder or an object like it"
DETECTION = "compute boxes by layers of arithmetic, and choose with paddle.vision.ops.nms"
MATCHING = "compare with fluid.layers.iou_similarity, and choose by layers of arithmetic"
REGIONS = "use paddle.vision.ops.roi_align"
NUMPY = "compute it after the run from fetched arrays, in NumPy"
ALL_CLASSES = "use fluid.layers.softmax_with_cross_entropy over all classes, or fluid.layers.nce"

INSTEAD = {
    **dict.fromkeys(
        ("create_py_reader_by_data", "double_buffer", "py_reader", "read_file"), READER
    ),
    "dynamic_lstmp": RECURRENT,
    "lstm": "use paddle.nn.LSTM",
    **dict.fromkeys(("lod_append", "lod_reset", "reorder_lod_tensor_by_rank"), SEQUENCES),
    **dict.fromkeys(
        (
            "BasicDecoder",
            "DecodeHelper",
            "Decoder",
            "GreedyEmbeddingHelper",
            "SampleEmbeddingHelper",
            "TrainingHelper",
            "beam_search",
            "beam_search_decode",
        ),
        DECODING,
    ),
    "BeamSearchDecoder": "use paddle.nn.BeamSearchDecoder",
    "dynamic_decode": "use paddle.nn.dynamic_decode",
    "gather_tree": "use paddle.nn.functional.gather_tree",
    **dict.fromkeys(
        (
            "bipartite_match",
            "generate_mask_labels",
            "generate_proposal_labels",
            "retinanet_target_assign",
            "rpn_target_assign",
            "ssd_loss",
            "target_assign",
        ),
        MATCHING,
    ),
    **dict.fromkeys(
        ("box_clip", "collect_fpn_proposals", "locality_aware_nms", "polygon_box_transform"),
        DETECTION,
    ),
    "box_coder": "use paddle.vision.ops.box_coder",
    **dict.fromkeys(
        ("box_decoder_and_assign", "detection_output", "retinanet_detection_output"),
        "use paddle.vision.ops.box_coder, and then paddle.vision.ops.nms",
    ),
    **dict.fromkeys(
        ("anchor_generator", "density_prior_box", "multi_box_head"),
        "use paddle.vision.ops.prior_box, and convolutions for what is predicted",
    ),
    "distribute_fpn_proposals": "use paddle.vision.ops.distribute_fpn_proposals",
    "generate_proposals": "use paddle.vision.ops.generate_proposals",
    "matrix_nms": "use paddle.vision.ops.matrix_nms",
    "multiclass_nms": "use paddle.vision.ops.nms with category_idxs",
    "prior_box": "use paddle.vision.ops.prior_box",
    "yolo_box": "use paddle.vision.ops.yolo_box",
    "yolov3_loss": "use paddle.vision.ops.yolo_loss",
    **dict.fromkeys(
        ("deformable_roi_pooling", "prroi_pool", "roi_align", "roi_perspective_transform"), REGIONS
    ),
    "psroi_pool": "use paddle.vision.ops.psroi_pool",
    "roi_pool": "use paddle.vision.ops.roi_pool",
    **dict.fromkeys(("chunk_eval", "ctc_greedy_decoder", "edit_distance"), NUMPY),
    "get_tensor_from_selected_rows": "use get_tensor() of the gradient",
    "merge_selected_rows": "use merge() of the gradient",
    "hsigmoid": "use paddle.nn.functional.hsigmoid_loss",
    "sampled_softmax_with_cross_entropy": ALL_CLASSES,
    "randint": "use paddle.randint",
    "randn": "use paddle.randn",
    "randperm": "use paddle.randperm",
    "Categorical": "use paddle.distribution.Categorical",
    "MultivariateNormalDiag": "use paddle.distribution.MultivariateNormal",
    "Normal": "use paddle.distribution.Normal",
    "Uniform": "use paddle.distribution.Uniform",
    "addcmul": "write input + value * tensor1 * tensor2",
    "allclose": "use paddle.allclose",
    "continuous_value_model": "slice the two columns off with fluid.layers.slice",
    "crf_decoding": "use paddle.text.viterbi_decode",
    "cross": "use paddle.cross",
    "dist": "use paddle.dist",
    "filter_by_instag": "choose the examples before they are fed",
    "full": "use fluid.layers.fill_constant, or paddle.full",
    "full_like": "use paddle.full_like",
    "hash": "hash before the numbers are fed",
    "im2sequence": "use fluid.layers.unfold, and transpose",
    "inplace_abn": "use fluid.layers.batch_norm with act",
    "kron": "use paddle.kron",
    "linear_chain_crf": "use fluid.layers.softmax_with_cross_entropy for each step",
    "load": "use fluid.io.load_vars",
    "random_crop": "crop before the images are fed, with paddle.vision.transforms.RandomCrop",
    "sigmoid_focal_loss": "use paddle.nn.functional.sigmoid_focal_loss",
    "similarity_focus": "use fluid.layers.argmax and fluid.layers.one_hot",
    "trace": "use paddle.trace",
    "warpctc": "use paddle.nn.functional.ctc_loss",
}
