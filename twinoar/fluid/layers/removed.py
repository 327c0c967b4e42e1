"""What `fluid.layers` of Paddle 1.8 had and twinoar has not: what to write instead, by name."""

READER = "use fluid.io.DataLoader.from_generator, and pass what it yields as feed"
RECURRENT = "pad the sequences, and use fluid.layers.rnn with an LSTMCell or a GRUCell"
SEQUENCES = "pad the sequences to one length, and pass `lengths` to fluid.layers.sequence_pool"
DECODING = "use paddle.nn.BeamSearchDecoder with paddle.nn.dynamic_decode, or derive a Decoder"
DETECTION = "compute boxes by layers of arithmetic, and choose among them after the run in NumPy"
REGIONS = "crop with fluid.layers.crop_tensor, and resize with fluid.layers.resize_bilinear"
NUMPY = "compute it after the run from fetched arrays, in NumPy"
ROWS = "gradients are dense: use them as they are"
ALL_CLASSES = "use fluid.layers.softmax_with_cross_entropy over all classes, or fluid.layers.nce"
RANDOM = "use paddle.randint, paddle.randn or paddle.randperm"
DISTRIBUTIONS = "write the density with layers of arithmetic, and draw with paddle.normal"

INSTEAD = {
    **dict.fromkeys(
        ("create_py_reader_by_data", "double_buffer", "py_reader", "read_file"), READER
    ),
    **dict.fromkeys(("dynamic_lstmp", "lstm"), RECURRENT),
    **dict.fromkeys(("lod_append", "lod_reset", "reorder_lod_tensor_by_rank"), SEQUENCES),
    **dict.fromkeys(
        (
            "BasicDecoder",
            "BeamSearchDecoder",
            "DecodeHelper",
            "Decoder",
            "GreedyEmbeddingHelper",
            "SampleEmbeddingHelper",
            "TrainingHelper",
            "beam_search",
            "beam_search_decode",
            "dynamic_decode",
            "gather_tree",
        ),
        DECODING,
    ),
    **dict.fromkeys(
        (
            "anchor_generator",
            "bipartite_match",
            "box_clip",
            "box_coder",
            "box_decoder_and_assign",
            "collect_fpn_proposals",
            "density_prior_box",
            "detection_output",
            "distribute_fpn_proposals",
            "generate_mask_labels",
            "generate_proposal_labels",
            "generate_proposals",
            "locality_aware_nms",
            "matrix_nms",
            "multi_box_head",
            "multiclass_nms",
            "polygon_box_transform",
            "prior_box",
            "retinanet_detection_output",
            "retinanet_target_assign",
            "rpn_target_assign",
            "ssd_loss",
            "target_assign",
            "yolo_box",
        ),
        DETECTION,
    ),
    "yolov3_loss": "use paddle.vision.ops.yolo_loss",
    **dict.fromkeys(
        (
            "deformable_roi_pooling",
            "prroi_pool",
            "psroi_pool",
            "roi_align",
            "roi_perspective_transform",
            "roi_pool",
        ),
        REGIONS,
    ),
    **dict.fromkeys(("chunk_eval", "ctc_greedy_decoder", "edit_distance"), NUMPY),
    **dict.fromkeys(("get_tensor_from_selected_rows", "merge_selected_rows"), ROWS),
    **dict.fromkeys(("hsigmoid", "sampled_softmax_with_cross_entropy"), ALL_CLASSES),
    **dict.fromkeys(("randint", "randn", "randperm"), RANDOM),
    **dict.fromkeys(("Categorical", "MultivariateNormalDiag", "Normal", "Uniform"), DISTRIBUTIONS),
    "addcmul": "write input + value * tensor1 * tensor2",
    "allclose": "use paddle.allclose",
    "continuous_value_model": "slice the two columns off with fluid.layers.slice",
    "crf_decoding": "decode after the run from fetched scores, in NumPy",
    "cross": "write the products of fluid.layers.slice of the axis",
    "dist": "use fluid.layers.reduce_sum of powers of fluid.layers.abs(x - y)",
    "filter_by_instag": "choose the examples before they are fed",
    "full": "use fluid.layers.fill_constant, or paddle.full",
    "full_like": "use paddle.full_like",
    "hash": "hash before the numbers are fed",
    "im2sequence": "use fluid.layers.unfold, and transpose",
    "inplace_abn": "use fluid.layers.batch_norm with act",
    "kron": "use fluid.layers.elementwise_mul of unsqueezed tensors, and reshape",
    "linear_chain_crf": "use fluid.layers.softmax_with_cross_entropy for each step",
    "load": "use fluid.io.load_vars",
    "random_crop": "crop before the images are fed, with paddle.vision.transforms.RandomCrop",
    "sigmoid_focal_loss": "use paddle.nn.functional.sigmoid_focal_loss",
    "similarity_focus": "use fluid.layers.argmax and fluid.layers.one_hot",
    "trace": "use fluid.layers.reduce_sum of paddle.diagonal",
    "warpctc": "train with fluid.layers.softmax_with_cross_entropy on aligned labels",
}
